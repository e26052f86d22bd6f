/** Texts of this feature, in the order of its files. */
export const words = {
  // Page
  settings: 'Settings',
  lead: 'Clock, snapshots, keys and shortcuts.',
  clock: 'Clock',
  clockLead: 'Tokens, codes, retries and quotas follow it.',

  // Browser panel
  browser: 'This browser',
  browserLead: 'Kept in this browser, not in the sandbox.',
  singleKeys: 'Single-key shortcuts',
  singleKeysHint: 'Keys such as t and j. Ctrl-K, arrows, Enter and Escape always work.',
  showFirstSteps: 'Show first steps',
  firstStepsBack: 'First steps are on the Overview again',

  // Keys panel
  signingKeys: 'Signing keys',
  keysLead: 'Public keys only; private keys never leave the server.',
  rotate: 'Rotate',
  rotateAndRevoke: 'Rotate and revoke old keys',
  rotateTitle: 'Rotate and revoke the old keys?',
  rotateConsequence:
    'ID tokens signed so far no longer verify with the published keys. To keep the old keys published, use Rotate.',

  // Reset panel
  state: 'State',
  stateLead:
    'Export the current state as fixtures, with or without the log (foreign credentials masked), or reset to the original fixtures.',
  exportAsFixtures: 'Export as fixtures',
  exportWithLog: 'Export with log',
  resetToTheFixtures: 'Reset to the fixtures',
  resetEverything: 'Reset everything?',
  reset: 'Reset',
  resetConsequence:
    'Tokens, sessions, deliveries, faults and the clock return to the fixtures. Snapshots and the signing key stay.',

  // Snapshots panel
  snapshots: 'Snapshots',
  snapshotsLead: 'Named copies of the whole state.',
  deleteSnapshotTitle: (name: string) => `Delete ${name}?`,
  deleteSnapshot: 'Delete snapshot',
  deleteSnapshotConsequence: 'The current state stays. The snapshot cannot be recovered.',
  notFixtures: (name: string) => `${name} is not a fixtures file`,
  snapshotName: 'Snapshot name',
  saveSnapshot: 'Save snapshot',
  import: 'Import…',
  fileToImport: 'Fixtures file to import',
  restore: 'Restore',
  export: 'Export',
  deleteNamed: (name: string) => `Delete ${name}`,

  // Comparison view
  noDifferences: 'No differences',
  noDifferencesHint:
    'Users, organizations, apps, repos, webhooks and jobs are the same as in the snapshot. Tokens, sign-ins and deliveries are not compared.',
  users: 'Users',
  organizations: 'Organizations',
  apps: 'Apps',
  repos: 'Repos',
  webhooks: 'Webhooks',
  jobs: 'Jobs',
  added: 'added',
  removed: 'removed',
  changed: 'changed',
  moreDifferences: (count: string) => `and ${count} more`,
  contents: 'Contents',
  kind: 'Kind',
  snapshot: 'Snapshot',
  now: 'Now',
  hostsTitle: 'External hosts',
  hostsLead: 'Hosts used by its webhooks and redirect URIs.',
  otherMachine: 'another machine',

  // Forgotten requests
  logIsCleared: 'The request log is cleared too:',
  exportFirst: 'Export it first',

  // Restore question
  restoreTitle: (name: string) => `Restore ${name}?`,
  restoreSnapshot: 'Restore snapshot',
  restoreConsequence:
    'The current state will be lost. Save a snapshot first. Tokens, sessions, repos, webhooks, deliveries and the clock are restored, and faults are cleared.',

  // Snapshot page
  allSnapshots: 'All snapshots',
  snapshotTitle: (name: string) => `Snapshot ${name}`,
  snapshotLead: 'Preview of the changes a restore would make.',
  compareAgain: 'Compare again',
  restoreMenu: 'Restore…',

  // Requests
  signingKeyRotated: 'Signing key rotated',
  rotateFailed: 'Could not rotate the key',
  snapshotSaved: 'Snapshot saved',
  snapshotRestored: 'Snapshot restored',
  restoreFailed: 'Could not restore the snapshot',
  deleteSnapshotFailed: 'Could not delete the snapshot',
  resetDone: 'Reset to the fixtures',
  resetFailed: 'Could not reset the sandbox',
} as const
