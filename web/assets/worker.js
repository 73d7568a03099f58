// Starts the program that the worker is named after, apart from the page, and hands it what the page says.
const program = self.name;

const started = import(`./${program}.js`).then(async (module) => {
  await module.default();
  return module;
});

started.catch((error) => postMessage(`A part of the playground could not be loaded. Reload the page. (${error})`));

onmessage = async ({ data }) => (await started).receive(data);
