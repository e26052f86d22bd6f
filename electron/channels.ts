/** Messages between the page and the main process. */
export const channels = {
  openFixtures: 'open-fixtures',
  openDropped: 'open-dropped',
  showDataFolder: 'show-data-folder',
  /** To the page: show this page of the dashboard. */
  goTo: 'go-to',
} as const
