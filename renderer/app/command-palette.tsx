import { useState } from 'react'
import { useLocation } from 'wouter'
import { useSavedViews } from '../shared/query/saved-views.ts'
import { Palette } from '../ui/palette.tsx'
import { actionGroups } from './palette-actions.ts'
import { hitGroups, useHits } from './palette-hits.ts'
import { bestFirst } from './palette-rank.ts'
import { recentFirst, useRecent } from './palette-recent.ts'
import { viewGroup } from './palette-views.ts'

interface CommandPaletteProps {
  close: () => void
  onTrigger: () => void
  onKeys: () => void
}

/** Palette with every page, command, and search result by name, id, token or code. */
export function CommandPalette({ close, onTrigger, onKeys }: CommandPaletteProps) {
  const [, navigate] = useLocation()
  const [query, setQuery] = useState('')
  const recent = useRecent()
  const hits = useHits(query)
  const go = (path: string) => {
    close()
    navigate(path)
  }
  const { views } = useSavedViews()
  const groups = [
    ...hitGroups(hits, go),
    viewGroup(views, go),
    ...actionGroups({ close, go, onTrigger, onKeys }),
  ].map(({ title, items }) => ({
    title,
    items: items.map((item) => ({
      ...item,
      run: () => {
        recent.note(item.id)
        item.run()
      },
    })),
  }))
  return (
    <Palette
      title="Command palette"
      placeholder="Search pages, commands, names, ids, tokens or codes"
      groups={bestFirst(recentFirst(groups, recent.ids, query), query)}
      query={query}
      onQuery={setQuery}
      onClose={close}
    />
  )
}
