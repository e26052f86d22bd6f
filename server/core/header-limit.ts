/** Largest headers of a request, in bytes: a browser sends up to 720 KB of cookies to a host, whatever its port. */
export const maxHeaderBytes = 1024 * 1024

/**
 * Longest path and query of a request, in bytes. Browsers and clients send up to a few KB; a million parameters would take
 * seconds to read.
 */
export const maxTargetBytes = 64 * 1024

export const targetTooLong =
  'The URL is longer than 64 KiB. Send long values in the body of the request.'

/**
 * Option for every server that browsers can reach; Node's default is 16 KB. It is twice the accepted size, so that the
 * path of a refused request is known.
 */
export const headerLimit = { maxHeaderSize: 2 * maxHeaderBytes }

export const headersTooLarge =
  'The request headers are larger than 1 MiB. If a browser sent them, clear its cookies of localhost: it sends those of every app on localhost to every port.'
