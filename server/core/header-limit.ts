/** Largest headers of a request, in bytes: a browser sends up to 720 KB of cookies to a host, whatever its port. */
export const maxHeaderBytes = 1024 * 1024

/**
 * Option for every server that browsers can reach; Node's default is 16 KB. It is twice the accepted size, so that the
 * path of a refused request is known.
 */
export const headerLimit = { maxHeaderSize: 2 * maxHeaderBytes }

export const headersTooLarge =
  'The request headers are larger than 1 MiB. If a browser sent them, clear its cookies of localhost: it sends those of every app on localhost to every port.'
