import { pathOfView, type SavedView } from '../shared/query/saved-views.ts'
import type { PaletteGroup } from '../ui/palette.tsx'

/** Saved queries of the lists. */
export function viewGroup(views: readonly SavedView[], go: (path: string) => void): PaletteGroup {
  return {
    title: 'Saved views',
    items: views.map((view) => ({
      id: `view ${view.list} ${view.name}`,
      label: view.name,
      icon: 'bookmark',
      words: `view query ${view.query}`,
      note: view.query,
      run: () => go(pathOfView(view)),
    })),
  }
}
