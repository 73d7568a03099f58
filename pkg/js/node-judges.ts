import "./node.js";

export * from "./judges/index.js";
