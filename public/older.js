// Browsers from before the spring of 2024 lack some of what the page needs, and load that before the page's other scripts.
// What is looked for came last to Safari (17.4), Chrome (120) and Firefox (125).
if (!('withResolvers' in Promise && 'canParse' in URL && 'popover' in HTMLElement.prototype)) {
  // Scripts that follow wait for one that is written, and not for one that is appended.
  // oxlint-disable-next-line no-useless-escape -- this script is inlined, and would end there
  document.write('<script src="/polyfills.js"><\/script>')
}
