export const panes = ['summary', 'request', 'response', 'code'] as const
export type Pane = (typeof panes)[number]
