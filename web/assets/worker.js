// Starts the program that the address names, apart from the page, and hands it what the page says.
const program = location.search.slice(1);

const started = import(`./${program}.js`).then(async (module) => {
  await module.default();
  return module;
});

started.catch((error) => postMessage(`A part of the playground could not be loaded. Reload the page. (${error})`));

onmessage = async ({ data }) => (await started).receive(data);
