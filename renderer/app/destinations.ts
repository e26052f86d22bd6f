import { dashboardPages } from '../../server/contract/dashboard-pages.ts'
import type { IconName } from '../ui/icon.tsx'

export interface Destination {
  path: string
  label: string
  icon: IconName
  /** Additional search terms for the palette. */
  words?: string
}

/** The pages with icons that the dashboard has. */
export const navigation: readonly { title?: string; items: readonly Destination[] }[] =
  dashboardPages
