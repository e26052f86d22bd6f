/**
 * Replaces unused parts of packages in the bundle, which would otherwise be loaded at every start.
 */
export default function absent(): never {
  throw new Error(
    'this build has no schema compiler, no glob and no log threads: see server/web/absent.ts',
  )
}
