import "./node.js";

export * from "./frameworks/openai-agents.js";
