/** Texts of this feature, in the order of its files. */
export const words = {
  // Panel
  again: (event: string) => `${event} again`,
  triggerAnEvent: 'Trigger an event',
  lead: 'Trigger an event and preview who receives it.',
  andEvent: (event: string) => `and ${event}`,
  apply: 'Apply',
  payloadOnly: 'Payload only',
  skippedCount: (count: number) => `, ${count} skipped`,
  received: (webhooks: string) => `${webhooks} will receive it`,

  // Trigger form
  applyHint: 'Changes the sandbox exactly as the API would, including side events.',
  payloadOnlyHint: 'Sends payloads marked as synthetic; nothing changes.',
  repo: 'Repo',
  times: 'Times',
  mode: 'Mode',
  changePayload: 'Change the payload',
  pathInThePayload: 'Path in the payload',
  change: 'Change',
  setTo: 'set to',
  remove: 'remove',
  undoChange: 'Undo this change',

  // Trigger preview
  notReceivedBy: (webhook: string, event: string) => `${webhook} does not receive ${event}`,
  payload: 'Payload',
  payloadTo: (event: string, webhook: string) => `${event} to ${webhook}`,
  noReceiver: 'No webhook would receive it. The change is still made, and the reasons are kept.',

  // Draft
  unknownScope: 'Unknown scope',
  hiddenComment: 'Hidden comment',
  nullShas: 'Null SHAs',
  emojiTitle: 'Emoji title',
  crlf: 'CRLF',
  largeComment: '60 KB comment',

  // Event groups
  lastUsed: 'Last used',
} as const
