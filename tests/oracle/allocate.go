package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	dracel "k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
)

// schedulerTimeout is what the scheduler gives one node (filterTimeout of its DynamicResources plugin).
const schedulerTimeout = 10 * time.Second

// celCacheSize is how many compiled expressions are kept; the scheduler keeps 10, which changes no answer.
const celCacheSize = 1000

type allocateQuestion struct {
	head
	Claims         []json.RawMessage                           `json:"claims"`
	Classes        []json.RawMessage                           `json:"classes"`
	Slices         []json.RawMessage                           `json:"slices"`
	Node           json.RawMessage                             `json:"node"`
	Allocated      []resourceapi.DeviceRequestAllocationResult `json:"allocated"`
	TimeoutSeconds float64                                     `json:"timeoutSeconds"`
}

type allocateAnswer struct {
	Allocated bool          `json:"allocated"`
	Results   []claimResult `json:"results,omitempty"`
	Error     string        `json:"error,omitempty"`
	// Fatal is true when the scheduler would try no other node.
	Fatal       bool  `json:"fatal"`
	TimedOut    bool  `json:"timedOut"`
	Nanoseconds int64 `json:"nanoseconds"`
}

type claimResult struct {
	Claim        string                                      `json:"claim"`
	Devices      []resourceapi.DeviceRequestAllocationResult `json:"devices"`
	Config       []resourceapi.DeviceAllocationConfiguration `json:"config,omitempty"`
	NodeSelector *corev1.NodeSelector                        `json:"nodeSelector,omitempty"`
}

func allocate(question allocateQuestion) (any, error) {
	claims, err := decodeAll[*resourceapi.ResourceClaim](question.Claims, "ResourceClaim")
	if err != nil {
		return nil, err
	}
	slices, err := decodeAll[*resourceapi.ResourceSlice](question.Slices, "ResourceSlice")
	if err != nil {
		return nil, err
	}
	classes, err := decodeAll[*resourceapi.DeviceClass](question.Classes, "DeviceClass")
	if err != nil {
		return nil, err
	}
	node, err := decode[*corev1.Node](question.Node, corev1.SchemeGroupVersion.WithKind("Node"))
	if err != nil {
		return nil, err
	}
	timeout := schedulerTimeout
	if question.TimeoutSeconds > 0 {
		timeout = time.Duration(question.TimeoutSeconds * float64(time.Second))
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()

	start := time.Now()
	results, err := search(ctx, question.Allocated, classes, slices, node, claims)
	answer := judge(err)
	answer.Nanoseconds = time.Since(start).Nanoseconds()
	if err == nil && len(results) == len(claims) {
		answer.Allocated = true
		answer.Results = describe(claims, results)
	}
	return answer, nil
}

func search(
	ctx context.Context,
	allocated []resourceapi.DeviceRequestAllocationResult,
	classes []*resourceapi.DeviceClass,
	slices []*resourceapi.ResourceSlice,
	node *corev1.Node,
	claims []*resourceapi.ResourceClaim,
) ([]resourceapi.AllocationResult, error) {
	features := allocatorFeatures(utilfeature.DefaultFeatureGate)
	state := stateOf(allocated, features.ConsumableCapacity)
	allocator, err := structured.NewAllocator(ctx, features, state, classLister(classes), slices, celCache())
	if err != nil {
		return nil, err
	}
	return allocator.Allocate(ctx, node, claims)
}

// judge tells what the scheduler makes of an error.
func judge(err error) allocateAnswer {
	if err == nil {
		return allocateAnswer{}
	}
	timedOut := errors.Is(err, context.DeadlineExceeded)
	return allocateAnswer{Error: err.Error(), TimedOut: timedOut, Fatal: !timedOut && !isNodeError(err)}
}

func describe(claims []*resourceapi.ResourceClaim, results []resourceapi.AllocationResult) []claimResult {
	described := make([]claimResult, len(results))
	for i, result := range results {
		described[i] = claimResult{
			Claim:        claims[i].Name,
			Devices:      result.Devices.Results,
			Config:       result.Devices.Config,
			NodeSelector: result.NodeSelector,
		}
	}
	return described
}

// stateOf sorts what other claims hold, as the scheduler's DRA manager does.
func stateOf(allocated []resourceapi.DeviceRequestAllocationResult, consumable bool) structured.AllocatedState {
	state := structured.AllocatedState{
		AllocatedDevices:         sets.New[structured.DeviceID](),
		AllocatedSharedDeviceIDs: sets.New[structured.SharedDeviceID](),
		AggregatedCapacity:       structured.NewConsumedCapacityCollection(),
	}
	for _, result := range allocated {
		id := structured.MakeDeviceID(result.Driver, result.Pool, result.Device)
		switch {
		case result.AdminAccess != nil && *result.AdminAccess:
			// Admin access takes nothing from others.
		case consumable && result.ShareID != nil:
			state.AllocatedSharedDeviceIDs.Insert(structured.MakeSharedDeviceID(id, result.ShareID))
			if result.ConsumedCapacity != nil {
				state.AggregatedCapacity.Insert(structured.NewDeviceConsumedCapacity(id, result.ConsumedCapacity))
			}
		default:
			state.AllocatedDevices.Insert(id)
		}
	}
	return state
}

var celCaches = map[dracel.Features]*dracel.Cache{}

func celCache() *dracel.Cache {
	features := celFeatures(utilfeature.DefaultFeatureGate)
	if celCaches[features] == nil {
		celCaches[features] = dracel.NewCache(celCacheSize, features)
	}
	return celCaches[features]
}

type classLister []*resourceapi.DeviceClass

func (c classLister) List() ([]*resourceapi.DeviceClass, error) { return c, nil }

func (c classLister) Get(name string) (*resourceapi.DeviceClass, error) {
	for _, class := range c {
		if class.Name == name {
			return class, nil
		}
	}
	return nil, apierrors.NewNotFound(resourceapi.Resource("deviceclass"), name)
}

func decodeAll[T runtime.Object](raws []json.RawMessage, kind string) ([]T, error) {
	objects := make([]T, len(raws))
	for i, raw := range raws {
		object, err := decode[T](raw, resourceapi.SchemeGroupVersion.WithKind(kind))
		if err != nil {
			return nil, err
		}
		objects[i] = object
	}
	return objects, nil
}

// decode reads an object as clients of the API server see it, with its defaults; kind is what it is unless it says so.
func decode[T runtime.Object](raw json.RawMessage, kind schema.GroupVersionKind) (T, error) {
	var none T
	if len(raw) == 0 {
		return none, fmt.Errorf("a %s is missing", kind.Kind)
	}
	object, _, err := codecs.UniversalDecoder(kind.GroupVersion()).Decode(raw, &kind, nil)
	if err != nil {
		return none, fmt.Errorf("%s: %w", kind.Kind, err)
	}
	typed, ok := object.(T)
	if !ok {
		return none, fmt.Errorf("not a %s: %T", kind.Kind, object)
	}
	return typed, nil
}
