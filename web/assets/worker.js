// Starts the program that the worker is named after, apart from the page, and hands it what the page says. A line that
// is no JSON tells the page what is wrong.
const program = self.name;

const started = import(`./${program}.js`).then(async (module) => {
  await module.default();
  return module;
});

started.catch((error) => postMessage(`A part of the playground could not be loaded. Reload the page. (${error})`));

/** A program that has trapped cannot be spoken to any more. */
const fail = (error) =>
  postMessage(`The playground has run into a fault of its own and stopped. Reload the page: what you typed is kept. (${error?.message})`);

addEventListener("error", ({ error }) => fail(error));
onmessage = async ({ data }) => {
  const module = await started.catch(() => {});
  try {
    module?.receive(data);
  } catch (error) {
    fail(error);
  }
};
