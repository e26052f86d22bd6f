import { useLocation } from 'wouter'
import type { RequestItem } from '../../../../server/contract/control-requests.ts'
import { useHotkeys } from '../../../lib/hotkeys.ts'
import { useParameterText } from '../../../lib/parameters.ts'

/**
 * Open request, whose id is part of the path, and the keys that move through the list.
 * @param page path of the list
 */
export function useOpenRequest(
  page: string,
  requests: readonly RequestItem[],
  openId: string | undefined,
) {
  const [, navigate] = useLocation()
  const search = useParameterText()
  const index = requests.findIndex(({ id }) => id === openId)

  function show(id: string | undefined): void {
    const path = id === undefined ? page : `${page}/${encodeURIComponent(id)}`
    navigate(`${path}${search}`, { replace: openId !== undefined })
  }
  function move(step: number): void {
    const next = requests[Math.max(0, Math.min(requests.length - 1, index + step))]
    if (next) show(next.id)
  }
  const close = () => show(undefined)
  const [down, up] = [() => move(1), () => move(-1)]

  useHotkeys({ j: down, ArrowDown: down, k: up, ArrowUp: up })
  useHotkeys({ Escape: close }, openId !== undefined)
  return { open: ({ id }: RequestItem) => show(id), move, close }
}
