// A scripted judge that counts what it is asked: the same server and the same tokeniser for everybody who asks.
import { say, serve } from "../package/scripted.mjs";

/**
 * Serves what `answer(json)` gives, a message's content or a whole message, and counts in `sum` the calls, the tokens of
 * all messages and those of the schemas and tools beside them. `count(text)` is the number of a text's tokens.
 */
export async function countingServer(answer, count) {
  const sum = { calls: 0, prompt: 0, schemas: 0 };
  const server = await serve(({ json }, response) => {
    const prompt = json.messages.reduce((sum, { content }) => sum + count(content), 0);
    const beside = [json.tools, json.response_format].filter(Boolean);
    sum.calls += 1;
    sum.prompt += prompt;
    sum.schemas += beside.reduce((sum, shape) => sum + count(JSON.stringify(shape)), 0);
    const said = answer(json);
    const message = typeof said === "string" ? { content: said } : said;
    const usage = { prompt_tokens: prompt, completion_tokens: 1, total_tokens: prompt + 1 };
    say(response, null, { message: { role: "assistant", ...message }, usage });
  });
  return { baseUrl: server.baseUrl, sum, close: server.close };
}
