import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { SearchHit } from '../../server/contract/control-search.ts'
import type { SearchKind } from '../../server/contract/words/sandbox-words.ts'
import { callUntil } from '../api/client.ts'
import type { IconName } from '../ui/icon.tsx'
import type { PaletteGroup } from '../ui/palette.tsx'
import { words } from './words.ts'

/** Delay of one keystroke of a fast typist. */
const settleMs = 120

const looks: Readonly<Record<SearchKind, { title: string; icon: IconName }>> = {
  token: { title: 'Tokens', icon: 'token' },
  'sign-in': { title: words.signIns, icon: 'flow' },
  device: { title: 'Devices', icon: 'screen' },
  user: { title: 'Users', icon: 'people' },
  organization: { title: 'Organizations', icon: 'people' },
  app: { title: 'Apps', icon: 'app' },
  repo: { title: 'Repos', icon: 'repo' },
  webhook: { title: 'Webhooks', icon: 'webhook' },
  delivery: { title: words.deliveries, icon: 'delivery' },
  job: { title: 'Jobs', icon: 'job' },
  'scheduled-job': { title: 'Scheduled jobs', icon: 'clock' },
  collection: { title: 'Collections', icon: 'collection' },
  endpoint: { title: 'Inference endpoints', icon: 'endpoint' },
  request: { title: 'Requests', icon: 'request' },
  fault: { title: words.faults, icon: 'warning' },
  snapshot: { title: 'Snapshots', icon: 'camera' },
}

/** Search results for a name, id, token or code. */
export function useHits(query: string): readonly SearchHit[] {
  const settled = useSettled(query.trim())
  const { data } = useQuery({
    queryKey: ['search', settled],
    queryFn: ({ signal }) => callUntil(signal)('POST search', { body: { q: settled } }),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
    staleTime: 0,
    // The query may be a token, so it is not cached.
    gcTime: 0,
    retry: false,
  })
  return query.trim() === '' ? [] : (data?.items ?? [])
}

/** Groups results by kind, in the order of the sandbox. */
export function hitGroups(hits: readonly SearchHit[], go: (path: string) => void): PaletteGroup[] {
  const kinds = [...new Set(hits.map(({ kind }) => kind))]
  return kinds.map((kind) => ({
    title: looks[kind].title,
    items: hits
      .filter((hit) => hit.kind === kind)
      .map(({ id, label, note, path }) => ({
        id: `${kind} ${id}`,
        label,
        icon: looks[kind].icon,
        words: '',
        found: true as const,
        ...(note !== undefined && { note }),
        run: () => go(path),
      })),
  }))
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settleMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
