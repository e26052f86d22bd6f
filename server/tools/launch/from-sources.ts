// Runs the command line without a build, for `npm run dev`.
import { main } from '../../commands/main.ts'

await main(process.argv)
