import "./node.js";

export * from "./frameworks/ai-sdk.js";
