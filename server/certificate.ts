/** What an HTTPS server needs: PEM. */
export interface Certificate {
  key: string
  cert: string
}
