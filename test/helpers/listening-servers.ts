/** Counts the servers of this process that listen: two for a sandbox where the machine has IPv6. */
export function listeningServers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length
}
