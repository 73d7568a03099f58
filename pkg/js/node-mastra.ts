import "./node.js";

export * from "./frameworks/mastra.js";
