// Runs the command line without a build, for `npm run dev`.
import { main } from '../../cli/main.ts'

await main(process.argv)
