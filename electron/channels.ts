/** Messages from the page to the main process. */
export const channels = {
  openFixtures: 'open-fixtures',
  openDropped: 'open-dropped',
  showDataFolder: 'show-data-folder',
} as const
