import {
  dashboardPlaces,
  type DashboardPage,
  type UsedThing,
  settingsPage,
} from '../../server/contract/dashboard-pages.ts'
import type { IconName } from '../ui/icon.tsx'

export interface Destination extends DashboardPage {
  icon: IconName
}

export interface Place {
  label: string
  icon: IconName
  pages: readonly [Destination, ...Destination[]]
}

/** The places of the dashboard, with icons that it has. */
export const places: readonly Place[] = dashboardPlaces

/** The page at the foot of the navigation. */
export const settings: Destination = settingsPage

/** Every page with its label as the palette shows it: the place itself for its first page. */
export const everyPage: readonly Destination[] = [
  ...places.flatMap(({ label, pages: [first, ...others] }) => [
    { ...first, label, words: [first.label, first.words ?? ''].join(' ') },
    ...others,
  ]),
  settings,
]

/** Checks whether an address is that of a page or below it. */
export function isAt(location: string, { path }: DashboardPage): boolean {
  return location === path || (path !== '/' && location.startsWith(`${path}/`))
}

/** The place of an address; settings are in no place. */
export function placeOf(location: string): Place | undefined {
  return places.find(({ pages }) => pages.some((page) => isAt(location, page)))
}

export interface PlacePages {
  shown: readonly Destination[]
  /** Pages of things that nobody has used yet. */
  more: readonly Destination[]
}

/**
 * Divides the pages of a place.
 * @param counts how many of each thing there are; absent: not known yet
 */
export function pagesOf(
  { pages }: Place,
  location: string,
  counts: Partial<Record<UsedThing, number>> | undefined,
): PlacePages {
  const isShown = (page: Destination) =>
    page.onceUsed === undefined || (counts?.[page.onceUsed] ?? 0) > 0 || isAt(location, page)
  return { shown: pages.filter(isShown), more: pages.filter((page) => !isShown(page)) }
}
