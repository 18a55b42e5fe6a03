/** The links of the page. They are built beside this folder, because the server's letters carry them too. */
export { paths } from '../paths.ts'
