import "./node.js";

export * from "./frameworks/langchain.js";
