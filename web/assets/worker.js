// Starts the program that the worker is named after, apart from the page, and hands it what the page says. A line that
// is no JSON tells the page what is wrong, and is the last one.
const program = self.name;

const started = import(`./${program}.js`).then(async (module) => {
  await module.default();
  return module;
});

const end = (why) => {
  postMessage(why);
  close();
};

started.catch((error) => end(`A part of the playground could not be loaded: is there a network? (${error})`));

/** A program that has trapped cannot be spoken to any more. */
const fail = (error) => end(`The playground has run into a fault of its own and stopped (${error?.message})`);

addEventListener("error", ({ error }) => fail(error));
onmessage = async ({ data }) => {
  const module = await started.catch(() => {});
  try {
    module?.receive(data);
  } catch (error) {
    fail(error);
  }
};
