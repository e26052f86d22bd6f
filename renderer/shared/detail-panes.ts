import { useParameter } from '../lib/parameters.ts'

/** Parts of a detail panel, in their order. */
export const detailPanes = [
  'summary',
  'request',
  'response',
  'timeline',
  'related',
  'code',
] as const
export type DetailPane = (typeof detailPanes)[number]

/** Names that URLs of earlier versions have. */
const formerNames: ReadonlyMap<string, DetailPane> = new Map([
  ['why', 'summary'],
  ['story', 'related'],
])

/** Chosen part, kept in the URL; `undefined` before one was chosen. */
export function useDetailPane(): [DetailPane | undefined, (pane: DetailPane) => void] {
  const [name, setName] = useParameter('pane')
  const pane = detailPanes.find((known) => known === name) ?? formerNames.get(name)
  return [pane, setName]
}
