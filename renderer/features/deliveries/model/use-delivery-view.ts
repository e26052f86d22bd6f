import { useClearParameters, useFlag, useParameter } from '../../../lib/parameters.ts'
import { useCompare } from '../../../shared/compare/use-compare.ts'
import { useDetailPane } from '../../../shared/detail-panes.ts'
import { isStringList, useStoredState } from '../../../lib/stored-state.ts'

/** View of the deliveries, kept in the URL so that it can be shared. */
export function useDeliveryView() {
  const [text, setText] = useParameter('q')
  const [state, setState] = useParameter('state')
  const [skipped, setSkipped] = useFlag('skipped')
  const [audited, setAudited] = useFlag('audited')
  const { markedId, toggleMark } = useCompare()
  const [pane, setPane] = useDetailPane()
  const clear = useClearParameters()
  return {
    text,
    setText,
    state,
    setState,
    skipped,
    setSkipped,
    audited,
    setAudited,
    markedId,
    toggleMark,
    pane,
    setPane,
    clear,
  }
}

export type BoardView = ReturnType<typeof useDeliveryView>

/** Bookmarked deliveries, stored in the browser. */
export function useBookmarks() {
  const [ids, setIds] = useStoredState<string[]>('hub-sandbox-bookmarks', [], isStringList)
  return {
    ids,
    has: (id: string) => ids.includes(id),
    toggle: (id: string) =>
      setIds(ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]),
  }
}
