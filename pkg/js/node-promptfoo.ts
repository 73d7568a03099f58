import "./node.js";

export * from "./frameworks/promptfoo.js";
