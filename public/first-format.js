// Run as a worker by shell.js. The first of the platform's formats takes a phone 30 ms, whichever thread makes it, and every later
// one a moment.
new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' }).format()
close()
