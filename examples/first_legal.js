// A bot for `tsukimi arena`, in another language: it plays the first legal move.
//   tsukimi arena dojo --players 3 --bots "cmd:node examples/first_legal.js,random"
const lines = require("node:readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const space = line.indexOf(" ");
  const word = line.slice(0, space);
  const data = JSON.parse(line.slice(space + 1));
  // "new": { game, players, seat, options }; "choose": { view, events, legal }; "end": { scores, winners }
  if (word === "choose") console.log(data.legal[0]);
});
