/**
 * Stands in the bundle for what Fastify would load if it were left to compile schemas: a third of the program, which
 * the sandbox has no use for, since it reads schemas itself (plugins/schemas.ts).
 */
export default function absent(): never {
  throw new Error('this build has no schema compiler: give the server its own schemaController')
}
