import { createServer } from "node:http";

const server = createServer((request, response) => {
  response.end(`Hello, ${request.url}`);
});

server.listen(8080);
