// What `npm test` runs of layers that take long; `npm run test:all` runs all of them.

/** One journey of each kind in the browser, by its file: the other tests of these pages try the branches. */
export const journeys = {
  'dashboard-token': 'the printed URL opens a working dashboard',
  'sign-ins': 'a sign-in with @huggingface/hub is drawn while it happens in another window',
  device: 'a phone approves the request of a device',
  apps: 'an app signs in with its secret, loses it, and signs in with PKCE',
  dashboard: 'a token is created, expires by the sandbox clock, and is revoked',
  'dashboard-deliveries': 'a failure is explained, retried and replayed',
  'dashboard-repo': 'editing a file makes a commit and calls a webhook',
  'dashboard-requests':
    'a request is resent with changes, as the same user, and names the original',
  'dashboard-checks': 'a mark on a request leads to the finding, its fix and its ignored state',
}

/** Contract tests that `npm test` leaves out, by their file, each with the reason why it is slow. @type {Record<string, string>} */
export const slowContractTests = {
  'audit-app-modules': 'audits an app with each of its mistakes, one after the other',
  'audit-killed': 'kills whole audits, each in a process of its own',
  bench: 'measures programs in processes of their own',
  'cli-audit': 'runs whole audits of receivers by the command line',
  'cli-audit-app': 'runs whole audits of apps by the command line',
  'cli-audit-by-hand': 'runs whole audits in a terminal',
  fuzz: 'plays random input into every parser, for as long as a unit of it takes',
  'many-forks': 'starts a hundred sandboxes',
  'refresh-race-under-load': 'needs a machine under load, and makes one',
  'worst-inputs': 'measures the most expensive requests of a megabyte',
  'worst-repos': 'makes repos with hundreds of thousands of files',
}
