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
    'a request is replayed with changes, as the same user, and names the original',
  'dashboard-checks': 'a mark on a request leads to the finding, its fix and its ignored state',
}

/**
 * Tests that `npm test` leaves out, by their file, each with the reason why it is slow. Other runs start them first, in
 * this order: the longest ones lead.
 * @type {Record<string, string>}
 */
export const slowTests = {
  'contract/audit-app-modules': 'audits an app with each of its mistakes',
  'contract/cli-audit-app': 'runs whole audits of apps by the command line',
  'contract/access-matrix-fine-grained': 'tries every kind of access with each permission',
  'contract/cli-examples': 'runs each example of each help text',
  'contract/access-matrix-exchange': 'tries every kind of access with exchanged tokens',
  'contract/access-matrix-users': 'tries every kind of access with the tokens of users',
  'contract/fuzz': 'plays random input into every parser, for as long as a unit of it takes',
  'contract/audit/receiver': 'audits receivers as a whole',
  'contract/audit-app': 'audits apps as a whole',
  'contract/outside-names': 'calls every route with names that are special in JavaScript',
  'contract/bench': 'measures programs in processes of their own',
  'contract/cli-audit-by-hand': 'runs whole audits in a terminal',
  'contract/cli-audit': 'runs whole audits of receivers by the command line',
  'contract/cli-demo': 'plays whole demos, each in a process of its own',
  'contract/worst-inputs': 'measures the most expensive requests of a megabyte',
  'contract/cli-daily': "runs a day's work, each command in a process of its own",
  'contract/cli-exec-segments': 'runs whole test suites',
  'contract/cli-exec-record': 'runs whole test suites and compares them',
  'contract/simulate': 'runs the product in simulated worlds, in processes of its own',
  'contract/cli-doctor': 'starts a sandbox for each finding of doctor',
  'contract/audit-app-devices': 'audits device clients as a whole',
  'contract/cli-exec-signals': 'interrupts runs at each moment of their start',
  'contract/control-experiments': 'runs each experiment',
  'contract/worst-repos': 'makes repos with hundreds of thousands of files',
  'unit/toolchain/outside-lookups': 'reads all sources with the compiler',
  'contract/access-matrix-apps': "tries every kind of access with each of an app's scopes",
  'contract/cli-exec-gate': 'runs whole test suites',
  'contract/xet-bad-input': 'uploads each wrong shard and xorb',
  'contract/job-volumes': 'runs jobs in processes of their own',
  'contract/audit-killed': 'kills whole audits, each in a process of its own',
  'unit/client/public-types': 'compiles programs of users',
  'contract/audit/storm': 'delivers a storm for each mistake of a receiver',
  'unit/hub/webhooks/rules.property': 'plays thousands of random events against every rule',
  'contract/xet-edits': 'edits large files in many ways',
  'contract/refresh-race-under-load': 'needs a machine under load, and makes one',
  'contract/many-forks': 'starts a hundred sandboxes',
  'contract/described-responses': 'compares a response of each route with the OpenAPI document',
}
