/** Texts of this feature, in the order of its files. */
export const words = {
  // Page
  deviceCodes: 'Device codes',
  lead: 'Device codes (RFC 8628). Approve or deny them here without typing the code.',
  state: 'State',
  all: 'All',
  pending: 'Pending',
  past: 'Past',
  filterDeviceCodes: 'Filter device codes',
  codeAppUserOrScope: 'Code, app, user or scope',
  empty: 'No device codes yet',
  noMatch: 'No matching device codes',
  emptyHint: 'A device requests a code at',
  userApproves: '. Its user approves it in a browser, or you do here.',
} as const
