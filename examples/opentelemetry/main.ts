// Traces the client's requests with hooks. Each request gets a span that follows OpenTelemetry's conventions for HTTP
// clients, and a `traceparent` header that makes the service's spans part of the same trace.
//
//   MSGCTL_API_KEY=… MSGCTL_API_SECRET=… MSGCTL_BASE_URL=… npx tsx examples/opentelemetry/main.ts

import { type Hooks, MessagingClient, type WatchedCall } from "@msgctl/sdk";
import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { BasicTracerProvider, ConsoleSpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";

// A real program has a provider and a propagator already.
trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(new ConsoleSpanExporter())] }),
);
propagation.setGlobalPropagator(new W3CTraceContextPropagator());

function tracing(): Hooks {
  const tracer = trace.getTracer("messaging");
  /** The span of the current request. */
  const spans = new WeakMap<WatchedCall, Span>();

  function fail(call: WatchedCall, error: Error): void {
    const span = spans.get(call);
    if (!span?.isRecording()) return;
    span.recordException(error);
    span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
    span.end();
  }

  return {
    onRequest({ call, attempt }) {
      const span = tracer.startSpan(`${call.method} ${call.route}`, {
        kind: SpanKind.CLIENT,
        attributes: {
          "http.request.method": call.method,
          "url.full": call.url,
          "url.template": call.route,
          "http.request.resend_count": attempt - 1,
        },
      });
      spans.set(call, span);
      const headers: Record<string, string> = {};
      propagation.inject(trace.setSpan(context.active(), span), headers);
      return headers;
    },
    onResponse({ call, status, headers }) {
      const span = spans.get(call);
      span?.setAttribute("http.response.status_code", status);
      span?.setAttribute("http.response.header.x-request-id", headers.get("x-request-id") ?? "");
      if (status >= 400) span?.setStatus({ code: SpanStatusCode.ERROR });
      span?.end();
    },
    onRetry: ({ call, error }) => error && fail(call, error),
    onError: ({ call, error }) => fail(call, error),
  };
}

const client = new MessagingClient({ hooks: tracing() });
await client.send.sms({ merchantId: "demo", to: "+12025550100", message: "Hello", type: "OTP" });
await client.merchants.get("nobody").safe();
