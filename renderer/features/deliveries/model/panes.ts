export const panes = ['timeline', 'request', 'response', 'why', 'story', 'diff', 'code'] as const
export type Pane = (typeof panes)[number]
