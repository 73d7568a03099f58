// The host's messages, a line each. The SDK's own reading copies what it has with each piece that comes, gives up the connection at
// 10 MB, and parses whatever it is handed: here a message comes whole or is refused, and the next one is heard.
import { JsonGuard } from "../json-guard.js";

/** In bytes: as much as a request's evidence may have. */
const MOST_MESSAGE = 64 * 1024 * 1024;

/** In bytes: how much of a message that is refused is kept at either end, as its id stands at one. */
const KEPT = 1024;

const LINE_FEED = 0x0a;

/** Whole messages as they come; one that nobody would take is handed to `refuse`, with its id where that can be told. */
export async function* messagesOf(input: AsyncIterable<Buffer>, refuse: (wrong: string, id: string) => void): AsyncGenerator<Buffer> {
  let message = new Message();
  for await (const chunk of input) {
    for (let start = 0; start < chunk.length; ) {
      const found = chunk.indexOf(LINE_FEED, start);
      const end = found < 0 ? chunk.length : found + 1;
      message.take(chunk.subarray(start, end));
      start = end;
      if (found < 0) continue;
      if (message.wrong === undefined) yield message.whole();
      else refuse(message.wrong, message.id());
      message = new Message();
    }
  }
}

class Message {
  wrong: string | undefined;
  #pieces: Buffer[] = [];
  #size = 0;
  #tail = Buffer.alloc(0);
  readonly #guard = new JsonGuard();

  take(piece: Buffer): void {
    this.#size += piece.length;
    if (this.wrong === undefined) {
      this.#pieces.push(piece);
      this.wrong = this.#size > MOST_MESSAGE ? `larger than ${MOST_MESSAGE / 1024 / 1024} MB` : this.#guard.take(piece)?.wrong;
      if (this.wrong === undefined) return;
      this.#pieces = [this.whole().subarray(0, KEPT)];
    }
    this.#tail = Buffer.concat([this.#tail, piece.subarray(-KEPT)]).subarray(-KEPT);
  }

  whole(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  /** Of a message that is refused, as JSON: clients write it before all that is long, or behind it. */
  id(): string {
    const id = '"id"\\s*:\\s*(\\d{1,15}|"[\\w.:/-]{1,200}")';
    const [, first] = new RegExp(`^\\s*\\{(?:\\s*"(?:jsonrpc|method)"\\s*:\\s*"[^"]*"\\s*,)*\\s*${id}`).exec(this.whole().toString()) ?? [];
    const [, last] = new RegExp(`\\},?(?:\\s*"(?:jsonrpc|method)"\\s*:\\s*"[^"]*"\\s*,)*\\s*${id}\\s*\\}\\s*$`).exec(this.#tail.toString()) ?? [];
    return first ?? last ?? "null";
  }
}
