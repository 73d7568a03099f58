// The tools over the Model Context Protocol. Its official SDK is an optional peer: only this module needs it.
import { Readable } from "node:stream";

import { ClaimgaugeError, wordsOf } from "../error.js";
import { version } from "../methods.js";
import type { Progress } from "../types.js";
import { UsageError } from "../cli/exit.js";
import { sentence } from "../cli/files.js";
import { resultOf, short } from "./answer.js";
import { messagesOf } from "./messages.js";
import { toolsOf, type Call, type Fixed, type Tool } from "./tools.js";

const INSTRUCTIONS =
  "Before you state what you read, give verify_claims your claims one by one with the evidence they rest on. " +
  "Heed its recommendation: STOP and GATHER_MORE_EVIDENCE mean that a claim must not be stated as it is.";

/** Serves on the standard input and output until the host goes away. */
export async function serve(fixed: Fixed): Promise<void> {
  const { Server, ProtocolError, ProtocolErrorCode, StdioServerTransport, serveStdio } = await sdk();
  const { tools, close } = toolsOf(fixed);
  const listed = tools.map(({ call, ...tool }) => tool);
  const heard = withoutProto(messagesOf(process.stdin, refuse), tools);
  const messages = Readable.from(heard, { objectMode: false });
  const ended = new Promise<void>((resolve) => messages.once("close", resolve).once("end", resolve));
  const transport = new StdioServerTransport(messages, process.stdout, { maxBufferSize: Infinity });
  const handle = serveStdio(
    () => {
      const made = new Server({ name: "claimgauge", version }, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
      made.setRequestHandler("tools/list", () => ({ tools: listed }));
      made.setRequestHandler("tools/call", async ({ params }, context) => {
        const tool = tools.find(({ name }) => name === params.name);
        if (tool === undefined) {
          throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${JSON.stringify(short(params.name, 60))}`);
        }
        const progress = new Progressing(context);
        try {
          const answer = await tool.call(params.arguments, progress);
          await progress.told;
          return resultOf(answer);
        } catch (thrown) {
          return failure(thrown);
        }
      });
      return made;
    },
    { transport },
  );
  await ended;
  close();
  await handle.close();
}

/** Answers a message that was not even parsed. */
function refuse(wrong: string, id: string): void {
  const message = `The message is ${wrong}: give less, or files below the root as evidence.`;
  process.stdout.write(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32600,"message":${JSON.stringify(message)}}}\n`);
}

/** The SDK drops `__proto__` among a tool's arguments without a word: it is refused here, as any unknown name is. */
async function* withoutProto(messages: AsyncIterable<Buffer>, tools: Tool[]): AsyncGenerator<Buffer> {
  for await (const message of messages) {
    const { id, params } = mayHoldProto(message) ? parsed(message) : {};
    const tool = tools.find(({ name }) => name === params?.name);
    if (tool === undefined || !Object.hasOwn(params?.arguments ?? {}, PROTO)) {
      yield message;
      continue;
    }
    const names = Object.keys(tool.inputSchema.properties).join(", ");
    const wrong = { code: "unknown_field", message: `There is no option "${PROTO}"`, path: PROTO, hint: `The options are: ${names}.` };
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: failure(new ClaimgaugeError(wrong)) })}\n`);
  }
}

const PROTO = "__proto__";

/** Whether a message has the name as it is, or an escape that may write it. */
function mayHoldProto(message: Buffer): boolean {
  return message.includes(PROTO) || message.includes("\\u00");
}

function parsed(message: Buffer): { id?: unknown; params?: CallRequest["params"] } {
  try {
    return JSON.parse(message.toString()) ?? {};
  } catch {
    // The SDK says what is wrong with it.
    return {};
  }
}

/** Tells the host how far a call is, where it asked for that. */
class Progressing implements Call {
  readonly signal: AbortSignal;
  /** When all of it is on its way: a host forgets a call with its answer. */
  told: Promise<void> = Promise.resolve();
  readonly #context: Context["mcpReq"];
  #last = -1;

  constructor({ mcpReq }: Context) {
    this.signal = mcpReq.signal;
    this.#context = mcpReq;
  }

  onProgress = ({ done, total }: Progress): void => {
    const token = this.#context._meta?.progressToken;
    if (token === undefined || done <= this.#last) return;
    this.#last = done;
    const params = { progressToken: token, progress: done, total };
    // A host that is gone is no failure of the call.
    const sent = this.#context.notify({ method: "notifications/progress", params }).catch(() => {});
    this.told = this.told.then(() => sent);
  };
}

function failure(thrown: unknown): object {
  return { content: [{ type: "text", text: short(wordsFor(thrown), 2000) }], isError: true };
}

/** A model reads it: what is wrong, where, and what to do. */
function wordsFor(thrown: unknown): string {
  return thrown instanceof ClaimgaugeError ? sentence(thrown) : `This is a bug of claimgauge: ${wordsOf(thrown)}`;
}

/** What is used of the SDK. Its own types would make everyone who compiles this package need it. */
interface Sdk {
  Server: new (info: object, options: object) => {
    setRequestHandler(method: "tools/list", handler: () => object): void;
    setRequestHandler(method: "tools/call", handler: (request: CallRequest, context: Context) => Promise<object>): void;
  };
  ProtocolError: new (code: number, message: string) => Error;
  ProtocolErrorCode: { InvalidParams: number };
  StdioServerTransport: new (input: Readable, output: object, options: { maxBufferSize: number }) => object;
  serveStdio(make: () => object, options: { transport: object }): { close(): Promise<void> };
}

interface CallRequest {
  params: { name: string; arguments?: unknown };
}

interface Context {
  mcpReq: {
    signal: AbortSignal;
    _meta?: { progressToken?: number | string };
    notify(notification: { method: string; params: object }): Promise<void>;
  };
}

const PACKAGE: string = "@modelcontextprotocol/server";

async function sdk(): Promise<Sdk> {
  try {
    return { ...(await import(PACKAGE)), ...(await import(`${PACKAGE}/stdio`)) } as Sdk;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new UsageError(`claimgauge mcp needs the official SDK of the Model Context Protocol, which is not installed: npm install ${PACKAGE}`);
  }
}
