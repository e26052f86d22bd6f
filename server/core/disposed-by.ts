/**
 * The member by which `using` and `await using` end something; none in a realm that lacks the symbol, as those of some
 * test runners do on older Nodes: nobody there can say either.
 * @param symbol `Symbol.dispose` or `Symbol.asyncDispose`
 */
export function disposedBy<Name extends symbol, End extends () => unknown>(
  symbol: Name | undefined,
  end: End,
): Record<Name, End> {
  const none = {} as Record<Name, End>
  return symbol === undefined ? none : { [symbol]: end }
}
