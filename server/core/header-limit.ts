/** Bytes that the headers of a request may have: a browser sends up to 720 KB of cookies to a host, whatever its port. */
export const maxHeaderBytes = 1024 * 1024

/**
 * Option of every server of Node that browsers may reach; its own limit is 16 KB. It is twice what is accepted, so that the
 * path of a refused request is known.
 */
export const headerLimit = { maxHeaderSize: 2 * maxHeaderBytes }

export const headersTooLarge =
  'The request headers are larger than 1 MiB. If a browser sent them, clear its cookies of localhost: it sends those of every app on localhost to every port.'
