/** View of a client while a repo grows. */
export interface Seen {
  /** Bytes, by path. */
  files: Record<string, number>
  /** Ten bytes of the large file, in hexadecimal digits. */
  part: string
  small: string
}

/** The life of a repo by one client; what a pull request proposes is merged between the first part and the second. */
export interface Life {
  /** Makes it, uploads, lists, downloads a part, branches and proposes. */
  grow(folder: string): Promise<Seen>
  /** Deletes a file, moves the repo. @returns its files, as they are listed under the name that it had */
  move(): Promise<string[]>
  /** @returns whether it is still there */
  end(): Promise<boolean>
}
