/** Texts that several places of this feature share. */
export const words = {
  // Keys panel
  rotateAndRevoke: 'Rotate and revoke old keys',
  rotateConsequence:
    'ID tokens signed so far no longer verify with the published keys. To keep the old keys published, use Rotate.',

  // Reset panel
  stateLead:
    'Export the current state as fixtures, with or without the log (foreign credentials masked), or reset to the original fixtures.',
  resetConsequence:
    'Tokens, sessions, deliveries, faults and the clock return to the fixtures. Snapshots and the signing key stay.',

  comparing: 'Comparing the current state with the fixtures…',
  nothingToReset:
    'Users, organizations, apps, repos, collections, webhooks and jobs are those of the fixtures.',

  // Comparison view
  noDifferencesHint:
    'Users, organizations, apps, repos, collections, webhooks and jobs are the same as in the snapshot. Tokens, sign-ins and deliveries are not compared.',

  // Restore question
  restoreConsequence:
    'The current state will be lost. Save a snapshot first. Tokens, sessions, repos, webhooks, deliveries and the clock are restored, and faults are cleared.',
} as const
