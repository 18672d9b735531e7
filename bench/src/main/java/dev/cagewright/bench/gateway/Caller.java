package dev.cagewright.bench.gateway;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.LastHttpContent;

/// One connection of a [Volley]: counts an answer, asks again.
final class Caller extends SimpleChannelInboundHandler<HttpObject> {
    private final Volley volley;
    private long begin;
    private long body;
    private HttpResponseStatus status = HttpResponseStatus.OK;
    private boolean isDone;

    Caller(Volley volley, long begin) {
        this.volley = volley;
        this.begin = begin;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext here, HttpObject message) {
        if (message instanceof HttpResponse answer) {
            status = answer.status();
            body = 0;
        }
        if (message instanceof HttpContent content) {
            body += content.content().readableBytes();
            if (content instanceof LastHttpContent) {
                answered(here);
            }
        }
    }

    private void answered(ChannelHandlerContext here) {
        if (isGood() && volley.answered(begin, body)) {
            begin = System.nanoTime();
            volley.ask(here.channel());
            return;
        }
        isDone = true;
        here.close();
        if (isGood()) {
            volley.connect();
        } else {
            volley.failed(here.channel(), status);
        }
    }

    private boolean isGood() {
        return status.equals(HttpResponseStatus.OK);
    }

    @Override
    public void channelInactive(ChannelHandlerContext here) {
        if (!isDone) {
            isDone = true;
            volley.failed(here.channel(), "closed");
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext here, Throwable cause) {
        if (!isDone) {
            isDone = true;
            volley.failed(here.channel(), cause);
        }
    }
}
