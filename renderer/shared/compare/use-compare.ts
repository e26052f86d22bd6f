import { useParameter } from '../../lib/parameters.ts'

/** Placeholder in the URL until another one is chosen. */
const best = 'best'

/** Comparison of the open entry, and the entry marked for it; both are kept in the URL. */
export function useCompare() {
  const [otherId, setOtherId] = useParameter('compare')
  const [markedId, setMarkedId] = useParameter('marked')
  return {
    isOpen: otherId !== '',
    otherId,
    open: () => setOtherId(best),
    close: () => setOtherId(''),
    setOther: (id: string) => setOtherId(id),
    markedId: markedId || undefined,
    toggleMark: (id: string | undefined) =>
      setMarkedId(id === undefined || id === markedId ? '' : id),
  }
}
