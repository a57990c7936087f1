// Pages with forms of the contract's operations, whose fields and words are more than all the others have.

export { OperationPage } from "./operations/operation-page.tsx";
export { OperationsPage } from "./operations/operations-page.tsx";
export { SimulatorPage } from "./simulator/simulator-page.tsx";
