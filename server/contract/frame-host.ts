/**
 * Returns the host at which the browser loads a framed app. A browser shares cookies between the ports of a host, and its
 * rules for other sites go by host names: `localhost` and `127.0.0.1` are two sites.
 * @param pageHost host name of the page around the frame, without port
 */
export function frameHost(pageHost: string, port: number): string {
  return `${pageHost === '127.0.0.1' ? 'localhost' : '127.0.0.1'}:${port}`
}
