import { main, more } from "./module.js";
import "./web-modules.js";

export * from "./index.js";

/** Loads the modules that synchronous functions need. Call it once before anything else; again does nothing. */
export async function init(): Promise<void> {
  await Promise.all([main.load(), more.load()]);
}
