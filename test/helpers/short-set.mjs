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
  'access-matrix-apps': "tries every kind of access with each of an app's scopes",
  'access-matrix-exchange': 'tries every kind of access with exchanged tokens',
  'access-matrix-fine-grained': 'tries every kind of access with each permission',
  'audit-app': 'audits apps as a whole',
  'audit-app-devices': 'audits device clients as a whole',
  'audit-app-modules': 'audits an app with each of its mistakes, one after the other',
  'audit-killed': 'kills whole audits, each in a process of its own',
  'audit/receiver': 'audits receivers as a whole',
  'audit/storm': 'delivers a storm for each mistake of a receiver',
  bench: 'measures programs in processes of their own',
  'cli-audit': 'runs whole audits of receivers by the command line',
  'cli-audit-app': 'runs whole audits of apps by the command line',
  'cli-audit-by-hand': 'runs whole audits in a terminal',
  'cli-daily': "runs a day's work, each command in a process of its own",
  'cli-doctor': 'starts a sandbox for each finding of doctor',
  'cli-examples': 'runs each example of each help text',
  'cli-exec-gate': 'runs whole test suites',
  'cli-exec-segments': 'runs whole test suites',
  'cli-exec-signals': 'interrupts runs at each moment of their start',
  'control-experiments': 'runs each experiment',
  fuzz: 'plays random input into every parser, for as long as a unit of it takes',
  'job-volumes': 'runs jobs in processes of their own',
  'many-forks': 'starts a hundred sandboxes',
  'refresh-race-under-load': 'needs a machine under load, and makes one',
  'worst-inputs': 'measures the most expensive requests of a megabyte',
  'worst-repos': 'makes repos with hundreds of thousands of files',
}
