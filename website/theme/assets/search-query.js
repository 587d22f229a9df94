// Options can be searched for as they are written: a dash before a word would mean "without it". Words
// that are in every text are left out, unless there are no others: their beginnings match too much.
const common = new Set("a an and by do for how in is of on or the to with".split(" "));
const send = window.Worker.prototype.postMessage;
window.Worker.prototype.postMessage = function (message, ...rest) {
  if (message && message.type === 2 && typeof message.data === "string") {
    const words = message.data.split(/\s+/).map((word) => word.replace(/^[-\u2013\u2014]+/, ""));
    const telling = words.filter((word) => !common.has(word.toLowerCase()));
    message = { ...message, data: (telling.some(Boolean) ? telling : words).join(" ") };
  }
  return send.call(this, message, ...rest);
};
