/**
 * Stands in the bundle for what its packages would read at every start, and the sandbox has no use for: the compiler of
 * schemas, which it reads itself (http/plugins/schemas.ts), the walk through folders to serve (http/routes/pages/dashboard.ts answers
 * each address itself), and the threads to which a log could go.
 */
export default function absent(): never {
  throw new Error(
    'this build has no schema compiler, no glob and no log threads: see server/http/absent.ts',
  )
}
